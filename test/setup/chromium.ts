import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findProgram } from './programs.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket endpoint of the one Chromium that all files of the run share. */
    chromium: string
  }
}

/** Starts the system's Chromium without background requests to the network. */
export default async function startChromium(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findProgram('chromium')
  if (!executablePath) throw new Error('Chromium is missing: run `node test/setup/install.js`')
  const server = await chromium.launchServer({
    executablePath,
    host: '127.0.0.1',
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
  project.provide('chromium', server.wsEndpoint())
  return () => server.close()
}
