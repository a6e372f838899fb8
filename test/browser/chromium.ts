import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

/** Connects to the Chromium of test/setup/chromium.ts. `close()` closes this connection's contexts only. */
export function connectToChromium(): Promise<Browser> {
  return chromium.connect(inject('chromium'))
}
