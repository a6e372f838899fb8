import { sharpService } from 'sitewright/sharp'
import { describedImages } from 'sitewright/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [describedImages({ service: sharpService() })] })
