import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRunnableDevEnvironment } from 'vite'

const site = fileURLToPath(new URL('../', import.meta.url))

/**
 * How Vite builds a server of the site: the pages have no client code, so one build is all: the server, and the
 * stylesheets and fonts that it links to.
 *
 * @type {import('vite').UserConfig}
 */
export const viteConfig = {
  appType: 'custom',
  publicDir: false, // the server's own file handler serves what is public
  // Linked packages are taken for source. The site is; sitewright is a built package, and is imported as one.
  ssr: { external: ['sitewright'], noExternal: ['example-site'] },
  build: {
    ssrEmitAssets: true,
    outDir: 'dist',
    // What the stylesheet uses as it is: light-dark(), nesting, subgrid.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
  },
  plugins: [refreshPages()],
}
/**
 * Vite swaps stylesheets by itself. Pages are made on the server, where nothing can be swapped: when a component or
 * the content changes, the next request is answered by the new one, and the browser is told to ask.
 *
 * @returns {import('vite').Plugin}
 */
function refreshPages() {
  return {
    name: 'refresh-pages',
    configureServer({ watcher, environments }) {
      const content = ['content', 'media'].map((folder) => site + folder + sep)
      watcher.add(content)
      watcher.on('all', (_, file) => {
        if (!content.some((folder) => file.startsWith(folder))) return
        if (environments.ssr && isRunnableDevEnvironment(environments.ssr)) environments.ssr.runner.clearCache()
        environments.client?.hot.send({ type: 'full-reload' })
      })
    },
    hotUpdate({ modules, server }) {
      if (this.environment.name !== 'ssr' || modules.length === 0) return
      server.environments.client?.hot.send({ type: 'full-reload' })
    },
  }
}
