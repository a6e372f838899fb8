export type { RouteHandler } from '../handler.js'
export type { VerifyRequest } from './authorize.js'
export { type BearerRejection, type BearerVerifier, createBearerVerifier, type Secret } from './bearer.js'
export type { GetTags, PurgeableImages } from './body-tags.js'
export {
  createRevalidateEndpoint,
  type Invalidate,
  type RevalidateAuthorization,
  type RevalidateOptions,
  type RevalidateSettings,
} from './endpoint.js'
