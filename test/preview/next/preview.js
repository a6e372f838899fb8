import { createPreview, sharedSecret } from 'sitewright/preview'

export const preview = createPreview({
  secret: process.env.PREVIEW_SECRET,
  verify: [sharedSecret({ secret: 'of the CMS' })],
})

/** What a page shows. The texts are those of `oracle.ts`. */
export const textFor = (draft) => (draft ? 'a draft, for editors only' : 'for everyone')
