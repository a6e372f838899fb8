import { cookies, draftMode, headers } from 'next/headers.js'
import { withMethod } from '../../core/options.js'
import type { Preview, PreviewState } from '../../core/preview/index.js'
import { type NextRoute, nextRoute } from './routes.js'

const draftCookie = '__prerender_bypass'

/**
 * Creates the route of a preview, which also turns Next.js' `draftMode()` on and off. Next.js' own cookie gets the
 * attributes of the preview's, so that it works in an iframe and expires.
 *
 * @example
 * // app/api/preview/[[...action]]/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPreviewRoute(preview)
 */
export function createPreviewRoute(preview: Preview): NextRoute {
  withMethod('isOn', 'the result of createPreview')('preview', preview)
  return nextRoute(async (request) => {
    const response = await preview.handler(request)
    const own = response?.headers.getSetCookie() ?? []
    // The exit deletes two cookies. There, Next.js must not write the cookies again: it would leave out `Max-Age=0`.
    const isOpened = own.length === 1
    if (isOpened) (await draftMode()).enable()
    const value = isOpened ? (await cookies()).get(draftCookie)?.value : ''
    for (const cookie of own)
      response?.headers.append('set-cookie', cookie.replace(/^[^;]*/, `${draftCookie}=${value}`))
    return response
  })
}

/**
 * Returns which draft a page of the App Router shows, or `undefined` for everyone but editors. Published pages stay
 * static, because nothing else of the request is read. Call it outside of `'use cache'`.
 *
 * @example const draft = await getPreview(preview)
 */
export async function getPreview(preview: Pick<Preview, 'isOn'>): Promise<PreviewState | undefined> {
  const { isEnabled } = await draftMode()
  return isEnabled ? preview.isOn({ headers: await headers() }) : undefined
}
