# Written by `make packaging`; edit packaging/templates/homebrew.rb.
class Carryover < Formula
  desc [[ json .Summary ]]
  homepage "[[ .Homepage ]]"
  version "[[ .Version ]]"
  license "[[ .License ]]"

  on_macos do
    on_arm do
      url "[[ .ArchiveURL (.On "darwin/arm64") ]]"
      sha256 "[[ .Sum (.On "darwin/arm64") ]]"
    end
    on_intel do
      url "[[ .ArchiveURL (.On "darwin/amd64") ]]"
      sha256 "[[ .Sum (.On "darwin/amd64") ]]"
    end
  end
  on_linux do
    on_arm do
      url "[[ .ArchiveURL (.On "linux/arm64") ]]"
      sha256 "[[ .Sum (.On "linux/arm64") ]]"
    end
    on_intel do
      url "[[ .ArchiveURL (.On "linux/amd64") ]]"
      sha256 "[[ .Sum (.On "linux/amd64") ]]"
    end
  end

  def install
    bin.install[[ range $i, $p := .Programs ]][[ if $i ]],[[ end ]] "[[ $p ]]"[[ end ]]
    man1.install Dir["share/man/*.1"]
    bash_completion.install "share/completions/carryover.bash" => "carryover"
    fish_completion.install "share/completions/carryover.fish"
    zsh_completion.install "share/completions/_carryover"
  end

  def caveats
    <<~EOS
      Connect your agents:
        carryover install
    EOS
  end

  service do
    run [opt_bin/"carryoverd"]
    keep_alive crashed: true
    process_type :background
  end

  test do
    ENV["CARRYOVER_HOME"] = testpath/"home"
    assert_match version.to_s, shell_output("#{bin}/carryover version")
    assert_match "claude-code", shell_output("#{bin}/carryover toolspecs list")
  end
end
