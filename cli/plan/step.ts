/** Something for the user to do: what, and the lines to copy. */
export interface Step {
  /** What holds once it is done, for the list of what was checked. */
  goal: string
  done: boolean
  title: string
  lines: string[]
}
