export type { VerifyRequest } from '../../core/revalidate/index.js'
export {
  type ContentChange,
  type ContentFields,
  type ContentQuery,
  type ContentRule,
  contentSource,
  type JsonAnswer,
} from './content-source.js'
export { contentSources } from './content-sources.js'
export { type ContentfulOptions, verifyContentful } from './contentful.js'
export type { TimedWebhookOptions, WebhookOptions } from './options.js'
export { verifyPrismic } from './prismic.js'
export { verifySanity } from './sanity.js'
export { verifyStandardWebhook } from './standard-webhooks.js'
export { verifyStoryblok } from './storyblok.js'
