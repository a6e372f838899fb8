import { createPreviewRoute } from 'sitewright/next'
import { preview } from '../../../../preview.js'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPreviewRoute(preview)
