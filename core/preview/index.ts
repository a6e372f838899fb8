export type { RouteHandler } from '../handler.js'
export { createPreview, type Preview, type PreviewOptions, type PreviewState } from './preview.js'
export type { PreviewSource, PrismicPreviewOptions, SharedSecretOptions } from './sources.js'
export { prismicPreview, sanityPreview, sharedSecret, storyblokPreview } from './sources.js'
