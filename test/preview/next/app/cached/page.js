import { draftMode } from 'next/headers'
import { getPreview } from 'sitewright/next'
import { preview, textFor } from '../../preview.js'

async function readContent(draft) {
  'use cache'
  // Next.js' own switch, which a page may read in here, too.
  const { isEnabled } = await draftMode()
  return textFor(draft && isEnabled)
}

export default async () => <p>{await readContent(await getPreview(preview))}</p>
