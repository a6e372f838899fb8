import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRunnableDevEnvironment } from 'vite'

const site = fileURLToPath(new URL('../', import.meta.url))

/**
 * The Vite configuration of a server of the site. The pages have no client code, so there is one build: the server, with
 * the stylesheets and fonts that it links to.
 *
 * @type {import('vite').UserConfig}
 */
export const viteConfig = {
  appType: 'custom',
  publicDir: false, // the server's own file handler serves public files
  // Vite bundles linked packages by default. That is right for the site, but sitewright is already built.
  ssr: { external: ['sitewright'], noExternal: ['@sitewright/example-site'] },
  build: {
    ssrEmitAssets: true,
    outDir: 'dist',
    // Browsers with what the stylesheet uses: light-dark(), nesting, subgrid.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
  },
  plugins: [refreshPages()],
}
/**
 * Reloads the browser when a component, the content, or a file that the styleguide reads changes. Vite replaces stylesheets by
 * itself, but pages are rendered on the server, where it cannot.
 *
 * @returns {import('vite').Plugin}
 */
function refreshPages() {
  return {
    name: 'refresh-pages',
    configureServer({ watcher, environments }) {
      const content = ['content', 'media'].map((folder) => site + folder + sep)
      // The styleguide reads these again for each of its pages.
      const styleguide = [`${site}styleguide${sep}`, join(site, 'styles', 'tokens.css')]
      watcher.add([...content, ...styleguide])
      watcher.on('all', (event, file) => {
        const isContent = content.some((folder) => file.startsWith(folder))
        if (!isContent && !styleguide.some((path) => file.startsWith(path))) return
        if ((isContent || event !== 'change') && environments.ssr && isRunnableDevEnvironment(environments.ssr)) {
          environments.ssr.runner.clearCache()
        }
        environments.client?.hot.send({ type: 'full-reload' })
      })
    },
    hotUpdate({ file, modules, server }) {
      if (this.environment.name !== 'ssr' || modules.length === 0) return
      // The server knows only the address of a stylesheet.
      if (file.endsWith('.css')) return []
      server.environments.client?.hot.send({ type: 'full-reload' })
    },
  }
}
