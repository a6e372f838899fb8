import devServer from '@hono/vite-dev-server'
import honox from 'honox/vite'
import { sitewright } from 'sitewright/vite'
import { defineConfig } from 'vite'

// A site of HonoX, and one of Hono alone, without and with sitewright.
const { ENTRY: entry, PLUGIN } = process.env
const plugin = entry.includes('hono-app') ? devServer({ entry }) : honox({ entry })
export default defineConfig({ plugins: [plugin, PLUGIN && sitewright()] })
