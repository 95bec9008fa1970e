{
  description = "Carryover: the work of one agent session becomes the first thing the next one reads";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      version = self.shortRev or self.dirtyShortRev or "dev";
    in
    {
      packages = each (pkgs: rec {
        carryover = pkgs.buildGoModule {
          pname = "carryover";
          inherit version;
          src = self;
          # Of the workspace's vendor folder: scripts/check-flake --write.
          vendorHash = "sha256-Yk2UN0WWo9nsGN9d9XDXWQMwkW4JpMVMbreeYupiOQY=";
          # buildGoModule vendors one module; ours come from the workspace.
          overrideModAttrs = _: {
            buildPhase = "go work vendor";
          };
          subPackages = [ "cmd/carryover" "cmd/carryoverd" "cmd/carryover-hook" ];
          tags = [ "nomsgpack" ];
          ldflags = [ "-s" "-w" "-X github.com/carryover-go/carryover/modules/daemon/version.Version=${version}" ];
          # The tests run real agents and want a home; `make test` runs them.
          doCheck = false;
          meta = {
            description = "Hands the work of one agent session to the next, whichever agent it is";
            license = pkgs.lib.licenses.asl20;
            mainProgram = "carryover";
          };
        };
        default = carryover;
      });

      overlays.default = final: _: {
        carryover = self.packages.${final.stdenv.hostPlatform.system}.default;
      };

      devShells = each (pkgs: {
        default = pkgs.mkShell {
          packages = with pkgs; [ go gopls golangci-lint nodejs git sqlite ];
        };
      });
    };
}
