import { startFirefox } from './firefox.js'
import { startWebKit } from './webkit.js'

/** The engines besides Chromium, whose own tests have more questions. */
export const engines = [
  { engine: 'Firefox', start: startFirefox },
  { engine: 'WebKit', start: startWebKit },
] as const

export const schemes = ['light', 'dark'] as const

/** Every engine with every color scheme of the system. */
export const views = engines.flatMap((engine) => schemes.map((scheme) => ({ ...engine, scheme })))
