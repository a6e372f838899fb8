import type { Handler } from 'sitewright/cache'

/** Editors with the preview cookie of the CMS see drafts, which pass the cache by. */
export const withPreview = (pages: Handler, renderDraft: Handler): Handler => {
  return (request) => (/(?:^|; )preview=/.test(request.headers.get('cookie') ?? '') ? renderDraft(request) : pages(request))
}
