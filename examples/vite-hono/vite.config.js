import { viteConfig } from 'example-site/serve/vite-config'

export default viteConfig
