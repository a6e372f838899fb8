// npx sitewright styleguide check http://localhost:3000 --json > adoption.json
import { readFile } from 'node:fs/promises'
import { AdoptionPage } from 'sitewright/react/styleguide'

const adoption = JSON.parse(await readFile('adoption.json', 'utf8'))

export const adoptionPage = {
  title: 'Adoption',
  content: <AdoptionPage adoption={adoption} />,
}
