import { serve } from '@sitewright/example-site/serve/serve'

await serve(import.meta.url)
