import { isDevelopment } from '../../../core/development.js'
import type { ImageLoader } from '../../../core/image/index.js'
import { checkFunction } from '../../../core/options.js'
import { warnAboutPrivateFolders, warnAcrossProcesses } from '../warnings.js'

/** The shape of the function that the `loaderFile` of `next/image` exports. */
export type NextImageLoader = (image: { src: string; width: number; quality?: number | undefined }) => string

/**
 * Creates the loader of `next/image` from a loader of `sitewright/image`. The URLs are the same: `quality` is ignored, since
 * the image service decides (`quality` of `sharpService`, `IMGPROXY_QUALITY` of imgproxy), so that clients cannot ask for
 * one image in a hundred qualities. In development it warns once of a `quality`, and of the folder `app/_image`, which Next.js
 * does not route: the folder is `app/%5Fimage`.
 *
 * @throws TypeError when the loader is no function.
 * @example
 * // image-loader.ts, which next.config names: images: { loader: 'custom', loaderFile: './image-loader.ts' }
 * export default nextImageLoader(createImageLoader({ sources: ['/media/'] }))
 */
export function nextImageLoader(loader: ImageLoader): NextImageLoader {
  checkFunction('loader', loader, "a loader, such as createImageLoader({ sources: ['/media/'] })")
  if (!isDevelopment()) return ({ src, width }) => loader({ src, width })
  warnAboutPrivateFolders()
  return ({ src, width, quality = 75 }) => {
    // In development next/image passes 75 itself, to find out whether a loader uses the width.
    if (quality !== 75) {
      warnAcrossProcesses(
        'QUALITY',
        'next/image: quality is ignored; set it in sharpService({ quality }), or IMGPROXY_QUALITY',
      )
    }
    return loadSilently(loader, src, width)
  }
}

/**
 * In development next/image asks for a URL that it never fetches, of any width, to find out whether a loader uses the width. That
 * one is not warned of; the proxy warns of the URLs that are fetched.
 */
function loadSilently(loader: ImageLoader, src: string, width: number): string {
  const [known] = loader.widths ?? []
  if (known === undefined || loader.widths?.includes(width)) return loader({ src, width })
  return loader({ src, width: known }).replace(`?width=${known}`, `?width=${width}`)
}
