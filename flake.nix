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
          vendorHash = "sha256-P/rOLhq8VgUqgL3Wc/u5acDT5WaIhBbe01s8KsBUrn0=";
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
          # All that `make help` lists runs with these; linters of the pinned
          # versions are built by `make lint`.
          packages = with pkgs; [ go gopls golangci-lint actionlint goreleaser syft minisign nodejs python312 git sqlite tmux chromium gnumake ];
        };
      });

      apps = each (pkgs: rec {
        carryover = { type = "app"; program = "${self.packages.${pkgs.system}.default}/bin/carryover"; };
        default = carryover;
      });

      # What the package's own check asks for: it starts and knows its agents.
      checks = each (pkgs: {
        starts = pkgs.runCommand "carryover-starts" { } ''
          export CARRYOVER_HOME=$(mktemp -d)
          ${self.packages.${pkgs.system}.default}/bin/carryover toolspecs list >$out
        '';
      });

      # programs.carryover.enable puts the programs on the PATH and starts the daemon
      # at login; which agents are connected stays with `carryover install`.
      homeManagerModules.default = { config, lib, pkgs, ... }:
        let cfg = config.programs.carryover; in
        {
          options.programs.carryover = {
            enable = lib.mkEnableOption "Carryover";
            package = lib.mkOption {
              type = lib.types.package;
              default = self.packages.${pkgs.system}.default;
              description = "The package to use.";
            };
          };
          config = lib.mkIf cfg.enable {
            home.packages = [ cfg.package ];
            systemd.user.services.carryover = {
              Unit.Description = "Carryover: carries the work of one agent session into the next";
              Service = { ExecStart = "${cfg.package}/bin/carryoverd"; Restart = "on-failure"; RestartSec = 5; };
              Install.WantedBy = [ "default.target" ];
            };
          };
        };

      # The same for all users of a NixOS machine.
      nixosModules.default = { config, lib, pkgs, ... }:
        let cfg = config.programs.carryover; in
        {
          options.programs.carryover.enable = lib.mkEnableOption "Carryover";
          config = lib.mkIf cfg.enable {
            environment.systemPackages = [ self.packages.${pkgs.system}.default ];
            systemd.user.services.carryover = {
              description = "Carryover: carries the work of one agent session into the next";
              wantedBy = [ "default.target" ];
              serviceConfig = { ExecStart = "${self.packages.${pkgs.system}.default}/bin/carryoverd"; Restart = "on-failure"; RestartSec = 5; };
            };
          };
        };
    };
}
