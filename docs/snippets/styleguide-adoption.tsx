// npx sitewright styleguide check http://localhost:3000 --json > adoption.json
import { readFileSync } from 'node:fs'
import { AdoptionPage } from 'sitewright/react/styleguide'

const adoption = JSON.parse(readFileSync('adoption.json', 'utf8'))

export const adoptionPage = {
  title: 'Adoption',
  content: <AdoptionPage adoption={adoption} />,
}
