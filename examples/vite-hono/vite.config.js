import { viteConfig } from '@sitewright/example-site/serve/vite-config'

export default viteConfig
