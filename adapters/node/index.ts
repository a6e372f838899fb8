export { type NodeListenerOptions, nodeListener } from './listener.js'
export { createUpstreamFetch, type UpstreamFetch, type UpstreamFetchOptions } from './upstream.js'
