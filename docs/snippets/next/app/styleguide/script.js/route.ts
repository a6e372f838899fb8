import { createStyleguideScriptRoute } from 'sitewright/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
  createStyleguideScriptRoute()
