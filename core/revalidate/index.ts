export type { RouteHandler } from '../handler.js'
export { type BearerVerifier, createBearerVerifier, type Secret, type VerifyRequest } from './authorize.js'
export {
  createRevalidateEndpoint,
  type Invalidate,
  type RevalidateAuthorization,
  type RevalidateOptions,
  type RevalidateSettings,
} from './endpoint.js'
export type { GetTags, PurgeableImages } from './tags.js'
