import type { Photograph } from '../content/photographs.ts'
import type { Site } from '../content/site.ts'

/** The museum's record of a photograph. */
export function PhotographFacts({ site, photograph }: { site: Site; photograph: Photograph }) {
  const { labels } = site
  const facts = [
    [labels.photographer, photograph.photographer],
    [labels.work, photograph.title],
    [labels.date, photograph.date],
    [labels.process, photograph.process],
    [labels.collection, labels.museum],
    [labels.rights, labels.publicDomain],
  ]
  return (
    <aside className="facts" aria-labelledby="facts">
      <h2 id="facts" className="kicker">
        {labels.aboutPhotograph}
      </h2>
      <dl>
        {facts.map(([term, description]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <a href={photograph.credit} rel="external">
        {labels.viewAtMuseum}
      </a>
    </aside>
  )
}
