/** The options of the proxy. Planner, rewrite and loader take some of them, and may be given the same object. */
export const imageOptionKinds = {
  prefix: 'any',
  sources: 'any',
  widths: 'any',
  serviceUrl: 'any',
  key: 'any',
  salt: 'any',
  sourceBaseUrl: 'any',
  version: 'any',
  fetch: 'any',
  serviceSecret: 'any',
  timeout: 'any',
  maxAge: 'any',
  log: 'any',
} as const
