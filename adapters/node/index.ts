export { type NodeListenerOptions, nodeListener } from './listener.js'
export { sendResponse } from './response.js'
export { createUpstreamFetch, type UpstreamFetch, type UpstreamFetchOptions } from './upstream.js'
