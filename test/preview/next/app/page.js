import { getPreview } from 'sitewright/next'
import { preview, textFor } from '../preview.js'

export const revalidate = 60

export default async () => <p>{textFor(await getPreview(preview))}</p>
