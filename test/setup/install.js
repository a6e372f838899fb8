// Finds the programs and fonts that the tests need besides npm's packages, or installs it where that takes no question: as root on Debian. With
// `--slow`, also what only the slow tests need.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findProgram } from './programs.js'

const needed = [
  { program: 'chromium', debianPackage: 'chromium' },
  { program: 'redis-server', debianPackage: 'redis-server' },
  { program: 'openssl', debianPackage: 'openssl' },
]
const neededBySlowTests = [
  { program: 'nginx', debianPackage: 'nginx-light' },
  { program: 'promtool', debianPackage: 'prometheus' },
  { program: 'firefox-esr', debianPackage: 'firefox-esr' },
  { program: 'WebKitWebDriver', debianPackage: 'webkit2gtk-driver' },
  { program: 'Xvfb', debianPackage: 'xvfb' },
  { program: '/usr/share/fonts/truetype/noto/NotoSansThai-Bold.ttf', debianPackage: 'fonts-noto-core' },
  { program: '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf', debianPackage: 'fonts-noto-color-emoji' },
]
if (process.argv.includes('--slow')) needed.push(...neededBySlowTests)

const missing = needed
  .filter(({ program }) => !existsSync(program) && !findProgram(program))
  .map(({ debianPackage }) => debianPackage)
if (missing.length > 0) install(missing)

/** @param {string[]} packages */
function install(packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(`The tests need ${packages.join(' and ')}. Run: sudo apt-get install ${packages.join(' ')}`)
    console.error('or name the program: CHROMIUM=/path/to/chromium npm test')
    process.exit(1)
  }
  console.log(`Installing ${packages.join(' and ')} for the tests ...`)
  /** @type {import('node:child_process').ExecFileSyncOptions} */
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  execFileSync('apt-get', ['update', '-qq'], options)
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
}
