export type { RouteHandler } from '../handler.js'
export type { Secret, VerifyRequest } from './authorize.js'
export {
  createRevalidateEndpoint,
  type Invalidate,
  type RevalidateAuthorization,
  type RevalidateOptions,
  type RevalidateSettings,
} from './endpoint.js'
export type { GetTags, PurgeableImages } from './tags.js'
