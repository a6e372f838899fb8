import { serve } from 'example-site/serve/serve'

await serve(import.meta.url)
