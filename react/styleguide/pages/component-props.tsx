import { PageSection, Scrollable } from './page-section.js'

/** A prop of a component, as declared, or as a reader of TypeScript types such as `react-docgen-typescript` returns it. */
export interface ComponentProp {
  name: string
  /** The type as TypeScript writes it: `"'small' | 'large'"`. */
  type: string
  defaultValue?: string | undefined
  description?: string | undefined
  required?: boolean | undefined
}

/** A table of props. Renders nothing if there are none. */
export function PropsSection({ props }: { props: readonly ComponentProp[] }) {
  if (props.length === 0) return null
  return (
    <PageSection title="Props">
      <Scrollable label="Table of props">
        <table className="sw-props">
          <thead>
            <tr>
              <th scope="col">Prop</th>
              <th scope="col">Default</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {props.map(({ name, type, defaultValue, description, required }) => (
              <tr key={name}>
                <th scope="row">
                  {name}
                  {!required && '?'}
                  <span>{type}</span>
                </th>
                <td>{defaultValue ?? (required ? 'required' : '–')}</td>
                <td>{description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </PageSection>
  )
}
