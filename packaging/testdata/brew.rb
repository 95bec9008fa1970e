# Stands in for Homebrew, which none of the registries that the tests reach has: evaluates a
# formula as it is written. A word of the formula that is not here is an error, so that the
# formula says nothing that nobody checked.
# usage: ruby brew.rb FORMULA OS ARCH                   print the URL and the hash it names for that platform
#        ruby brew.rb FORMULA OS ARCH ARCHIVE PREFIX    check the hash, unpack, install, look at the service, run its test
require "digest"
require "fileutils"
require "open3"
require "pathname"
require "tmpdir"

def wrong(text)
  abort("brew: #{text}")
end

# Place is a folder of the installed formula.
class Place < Pathname
  def /(other)
    Place.new(join(other))
  end

  # install takes files, lists of them, and files with their new names.
  def install(*things)
    things.each do |thing|
      case thing
      when Hash then thing.each { |file, name| move(file, name) }
      when Array
        wrong("#{self}: no file to install") if thing.empty?
        install(*thing)
      else move(thing, File.basename(thing))
      end
    end
  end

  private

  def move(file, name)
    wrong("#{file} is not in the archive") unless File.file?(file)
    FileUtils.mkdir_p(self)
    FileUtils.mv(file, join(name))
    puts "installed #{join(name)}"
  end
end

# Service is the block of that name.
class Service
  def run(command)
    @command = command.map(&:to_s)
  end

  def keep_alive(options)
    options.each_key { |key| wrong("keep_alive knows no #{key}") unless %i[always successful_exit crashed path].include?(key) }
  end

  def process_type(type)
    wrong("process_type knows no #{type}") unless %i[background standard interactive adaptive].include?(type)
  end

  def check
    File.executable?(@command&.first.to_s) || wrong("the service runs #{@command.inspect}, which is no program")
  end
end

# Formula is what a formula is a class of.
class Formula
  class << self
    attr_accessor :os, :arch

    %i[desc homepage version license url sha256].each do |name|
      define_method(name) do |value = nil|
        return instance_variable_get("@#{name}") if value.nil?

        wrong("#{name} is said twice") if instance_variable_get("@#{name}")
        instance_variable_set("@#{name}", value)
      end
    end
    { on_macos: [:os, "darwin"], on_linux: [:os, "linux"], on_arm: [:arch, "arm64"], on_intel: [:arch, "amd64"] }.each do |name, (field, value)|
      define_method(name) { |&block| block.call if public_send(field) == value }
    end
    %i[service test].each { |name| define_method(name) { |&block| block ? instance_variable_set("@#{name}", block) : instance_variable_get("@#{name}") } }

    def check
      { desc: 1..79, homepage: 1.., version: 1.., license: 1.., url: 1.., sha256: 64..64 }.each do |name, size|
        wrong("#{name} is #{public_send(name).inspect}") unless size.cover?(public_send(name).to_s.size)
      end
      wrong("the description begins with an article, or ends with a full stop") if desc.match?(/\A(an?|the) |\.\z/i)
      wrong("sha256 is #{sha256}") unless sha256.match?(/\A\h{64}\z/)
      wrong("the archive of version #{version} is #{url}") unless url.start_with?("#{homepage}/releases/download/v#{version}/")
    end
  end

  def initialize(prefix)
    @prefix = Place.new(prefix)
  end

  def bin
    @prefix/"bin"
  end
  def opt_bin
    bin
  end
  def man1
    @prefix/"share/man/man1"
  end
  def bash_completion
    @prefix/"etc/bash_completion.d"
  end
  def fish_completion
    @prefix/"share/fish/vendor_completions.d"
  end
  def zsh_completion
    @prefix/"share/zsh/site-functions"
  end
  def testpath
    @testpath ||= Place.new(Dir.mktmpdir)
  end
  def version
    self.class.version
  end

  def shell_output(command)
    output, status = Open3.capture2(command)
    wrong("#{command}: #{status}\n#{output}") unless status.success?
    output
  end

  def assert_match(pattern, text)
    wrong("its test wants #{pattern} in\n#{text}") unless pattern.is_a?(Regexp) ? text.match?(pattern) : text.include?(pattern)
  end

  def run_test
    Dir.chdir(testpath) { instance_eval(&(self.class.test || wrong("it has no test"))) }
  end

  def check_service
    opt = opt_bin
    service = Service.new
    service.define_singleton_method(:opt_bin) { opt }
    service.instance_eval(&(self.class.service || wrong("it has no service")))
    service.check
  end
end

formula, Formula.os, Formula.arch, archive, prefix = ARGV
wrong("usage: ruby brew.rb FORMULA OS ARCH [ARCHIVE PREFIX]") unless Formula.arch
class << Formula
  def inherited(made)
    super
    made.os, made.arch = os, arch
    $formula = made
  end
end
load formula
$formula.check
puts $formula.url, $formula.sha256
exit unless archive

wrong("#{archive} is not the archive that #{$formula.url} names") unless File.basename(archive) == File.basename($formula.url)
sum = Digest::SHA256.file(archive).hexdigest
wrong("#{archive} has the hash #{sum}, the formula names #{$formula.sha256}") unless sum == $formula.sha256
installed = $formula.new(File.expand_path(prefix))
archive = File.expand_path(archive)
Dir.mktmpdir do |work|
  system("tar", "-xzf", archive, "-C", work, exception: true)
  inside = Dir.children(work)
  top = inside.size == 1 && File.directory?(File.join(work, inside[0])) ? File.join(work, inside[0]) : work
  Dir.chdir(top) { installed.install }
end
wrong("its caveats say nothing") if installed.caveats.strip.empty?
installed.check_service
installed.run_test
