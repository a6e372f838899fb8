// Shared with the adapters of this package; not part of the public API.
export { EndpointError } from './authorize.js'
export { revalidateChecks } from './options.js'
export { createPurge } from './purge.js'
