import { Fragment } from 'react'
import { TableSection } from './page-section.js'

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
    <TableSection
      title="Props"
      className="sw-props"
      head={['Prop', 'Default', 'Description']}
      rows={props.map(({ name, type, defaultValue, description, required }) => [
        <Fragment key={name}>
          {name}
          {!required && '?'}
          <span>{type}</span>
        </Fragment>,
        defaultValue ?? (required ? 'required' : '–'),
        // Every second part was between backticks.
        description?.split(/`([^`]+)`/).map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part)),
      ])}
    />
  )
}
