[[ if not (or (.Has "darwin/amd64") (.Has "darwin/arm64") (.Has "linux/amd64") (.Has "linux/arm64")) ]][[ .Sum (.On "darwin/arm64") ]][[ end -]]
# Written by `make packaging`; edit packaging/templates/homebrew.rb.
class Carryover < Formula
  desc [[ json .Summary ]]
  homepage "[[ .Homepage ]]"
  version "[[ .Version ]]"
  license "[[ .License ]]"
[[ "" ]]
[[- if or (.Has "darwin/arm64") (.Has "darwin/amd64") ]]
  on_macos do
[[- if .Has "darwin/arm64" ]]
    on_arm do
      url "[[ .ArchiveURL (.On "darwin/arm64") ]]"
      sha256 "[[ .Sum (.On "darwin/arm64") ]]"
    end
[[- end ]]
[[- if .Has "darwin/amd64" ]]
    on_intel do
      url "[[ .ArchiveURL (.On "darwin/amd64") ]]"
      sha256 "[[ .Sum (.On "darwin/amd64") ]]"
    end
[[- end ]]
  end
[[- end ]]
[[- if or (.Has "linux/arm64") (.Has "linux/amd64") ]]
  on_linux do
[[- if .Has "linux/arm64" ]]
    on_arm do
      url "[[ .ArchiveURL (.On "linux/arm64") ]]"
      sha256 "[[ .Sum (.On "linux/arm64") ]]"
    end
[[- end ]]
[[- if .Has "linux/amd64" ]]
    on_intel do
      url "[[ .ArchiveURL (.On "linux/amd64") ]]"
      sha256 "[[ .Sum (.On "linux/amd64") ]]"
    end
[[- end ]]
  end
[[- end ]]

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
    ENV["CARRYOVER_HOME"] = (testpath/"home").to_s
    assert_match version.to_s, shell_output("#{bin}/carryover version")
    assert_match "claude-code", shell_output("#{bin}/carryover toolspecs list")
  end
end
