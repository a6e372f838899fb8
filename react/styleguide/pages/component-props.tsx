import { Fragment } from 'react'
import { TableSection } from './page-section.js'

/** A prop of a component, written by hand or by a reader of TypeScript types such as `react-docgen-typescript`. */
export interface ComponentProp {
  name: string
  /** The type in TypeScript: `"'small' | 'large'"`. */
  type: string
  defaultValue?: string | undefined
  description?: string | undefined
  required?: boolean | undefined
}

/** A table of props. Renders nothing for an empty list. */
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
        // Every second part is the text between two backticks.
        description?.split(/`([^`]+)`/).map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part)),
      ])}
    />
  )
}
