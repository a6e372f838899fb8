import { nextRoute, packageFiles } from 'sitewright/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(packageFiles())
