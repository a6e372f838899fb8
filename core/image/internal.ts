// Shared with the adapters of this package; not part of the public API.
export { defaultMaxAge } from './caching-headers.js'

export { createRejectionWarning } from './checks/rejections.js'
export { createErrorResponse, securityHeaders } from './errors.js'
export { InvalidPathError } from './imgproxy/invalid-path-error.js'
export { parseImgproxyPath, splitSignature } from './imgproxy/path.js'
export type { OutputFormat, ProcessingOptions } from './imgproxy/processing-options.js'
export { createPlanner, plannerChecks } from './planner.js'
export { checkServiceSecret, createServiceHeaders } from './service-headers.js'
export { sourceTag } from './source-tag.js'
export type { SendUpstream, UpstreamHandler, UpstreamOptions, UpstreamResponse } from './upstream.js'
export { createVersionRedirect } from './versions.js'
export { checkWidths } from './widths.js'
