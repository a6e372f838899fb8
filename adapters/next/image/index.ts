import { isDevelopment } from '../../../core/development.js'
import type { ImageLoader } from '../../../core/image/index.js'
import { checkFunction } from '../../../core/options.js'
import { warnAboutPrivateFolders, warnAcrossProcesses } from '../warnings.js'

// Exported here, too, because a loader may import only this entry: it has a build in CommonJS, which Next.js needs where
// it does not bundle packages (`pages/`, `serverExternalPackages`).
export { createImageLoader } from '../../../core/image/index.js'

/** The type of the function that the `loaderFile` of `next/image` exports. */
export type NextImageLoader = (image: { src: string; width: number; quality?: number | undefined }) => string

/**
 * Creates the loader for `next/image` from a `sitewright/image` loader. The URLs are the same. `quality` is ignored:
 * the image service decides it (`quality` of `sharpService`, `IMGPROXY_QUALITY` of imgproxy), because otherwise clients
 * could request one image in a hundred qualities. In development, it warns once about a `quality`, and about a folder
 * named `app/_image`, which Next.js does not route: name the folder `app/%5Fimage`.
 *
 * @throws TypeError when the loader is not a function.
 * @example
 * // image-loader.ts, set in next.config: images: { loader: 'custom', loaderFile: './image-loader.ts' }
 * export default nextImageLoader(createImageLoader({ sources: ['/media/'] }))
 */
export function nextImageLoader(loader: ImageLoader): NextImageLoader {
  checkFunction('loader', loader, "a loader, such as createImageLoader({ sources: ['/media/'] })")
  if (!isDevelopment()) return ({ src, width }) => loader({ src, width })
  warnAboutPrivateFolders()
  return ({ src, width, quality = 75 }) => {
    // In development, next/image itself passes 75 to find out whether a loader uses the width.
    if (quality !== 75) warnAcrossProcesses('QUALITY', ignoredQuality)
    return loadSilently(loader, src, width)
  }
}

const ignoredQuality = 'next/image: quality is ignored; set it in sharpService({ quality }), or IMGPROXY_QUALITY'

/**
 * Calls the loader without its warning about the width. In development, next/image asks for a URL with an arbitrary
 * width to find out whether a loader uses the width, and never fetches that URL. The proxy warns about the URLs that
 * are fetched.
 */
function loadSilently(loader: ImageLoader, src: string, width: number): string {
  const [allowedWidth] = loader.widths ?? []
  if (allowedWidth === undefined || loader.widths?.includes(width)) return loader({ src, width })
  return loader({ src, width: allowedWidth }).replace(`?width=${allowedWidth}`, `?width=${width}`)
}
