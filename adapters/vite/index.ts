import { basename, dirname } from 'node:path'
import { type CreateImageService, createImages } from '../../core/image/index.js'
import { checkKnownOptions, functionAs, required } from '../../core/options.js'
import type { NodeRequest, NodeResponse } from '../node/exchange.js'
import { serve } from '../node/listener.js'
import { packageFiles } from '../node/package-files.js'

export interface DescribedImagesOptions {
  /** The service that reads the files: `sharpService()` of `sitewright/sharp`. */
  service: CreateImageService
}

/** The part of Vite's plugins (https://vite.dev/guide/api-plugin) that is used here. */
export interface DescribedImagesPlugin {
  name: string
  enforce: 'pre'
  load(this: { addWatchFile(file: string): void }, id: string): Promise<string | undefined>
}

const checks = { service: required(functionAs('sharpService()', ['sharpService'])) }
const prefix = '/image/'

/**
 * Creates a Vite plugin that describes imported images at build time, as `images.describe` does:
 * `import cat from './cat.jpg?describe'`. The `src` of such an import is the URL of the file in the build.
 *
 * @experimental
 * @throws TypeError that names the malformed option.
 * @example
 * import { sharpService } from 'sitewright/sharp'
 * import { describedImages } from 'sitewright/vite'
 * export default defineConfig({ plugins: [describedImages({ service: sharpService() })] })
 */
export function describedImages(options: DescribedImagesOptions): DescribedImagesPlugin {
  const { service } = checkKnownOptions(options, checks, 'describedImages({ service: sharpService() })')
  return {
    name: 'sitewright:described-images',
    enforce: 'pre',
    async load(id) {
      const file = /^(.+)\?describe$/s.exec(id)?.[1]
      if (file === undefined) return undefined
      this.addWatchFile(file)
      const images = createImages({ sources: { [prefix]: dirname(file) }, service })
      const { src, ...description } = await images.describe(prefix + encodeURIComponent(basename(file)))
      return `import src from ${JSON.stringify(`${file}?url`)}\nexport default { src, ...${JSON.stringify(description)} }\n`
    },
  }
}

/** The parts of Vite's plugins and servers that {@link sitewright} uses. */
export interface SitewrightPlugin {
  name: 'sitewright'
  config(): { ssr: { external: string[] } }
  configureServer(server: { middlewares: { use(middleware: ViteMiddleware): unknown } }): void
}

type ViteMiddleware = (req: NodeRequest, res: NodeResponse, next: (error?: unknown) => void) => void

/**
 * Creates a Vite plugin for the development of a Hono site by `@hono/vite-dev-server`, as in HonoX. Node loads this
 * package and React, which `ssr.noExternal: true` leaves to Vite. The plugin serves the files of `packageFiles()`,
 * because requests for `.css` and `.js` do not reach the app.
 *
 * @experimental
 * @example
 * import { sitewright } from 'sitewright/vite'
 * export default defineConfig({ plugins: [sitewright()] }) // beside honox()
 */
export function sitewright(): SitewrightPlugin {
  const files = packageFiles()
  return {
    name: 'sitewright',
    config: () => ({ ssr: { external: ['sitewright', 'react', 'react-dom'] } }),
    configureServer({ middlewares }) {
      middlewares.use((req, res, next) => void serve(files, req, res, { pass: next, fail: next }))
    },
  }
}
