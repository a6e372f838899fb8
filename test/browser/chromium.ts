import { type Browser, chromium } from 'playwright-core'
import { findProgram } from '../setup/programs.js'

/** Starts the system's Chromium, which asks nobody on the network for anything. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findProgram('chromium')
  if (!executablePath) throw new Error('Chromium is missing: run `node test/setup/install.js`')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', // the tests may run as root, in CI
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Letters and colors are drawn the same on every machine, whatever its settings.
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--force-color-profile=srgb',
    ],
  })
}
