// Paths on a grid of 16 by 16.
const icons: Readonly<Record<string, string>> = {
  system: 'M2 3.5h12v7.5h-12zM6 13.5h4M8 11v2.5',
  light: 'M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1v1.5M8 13.5v1.5M1 8h1.5M13.5 8h1.5M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  dark: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z',
}

/** The icon of a color scheme: a screen, a sun or a moon. Renders nothing for other modes. */
export function SchemeIcon({ scheme }: { scheme: string }) {
  if (!icons[scheme]) return null
  return (
    <svg className="sw-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={icons[scheme]} />
    </svg>
  )
}

/** The name of a mode, with its icon. */
export function ModeName({ mode }: { mode: string }) {
  return (
    <em>
      <SchemeIcon scheme={mode} />
      {mode.charAt(0).toUpperCase() + mode.slice(1)}
    </em>
  )
}

/** Returns the classes of a room: a part of the page in the color scheme of a mode, on the site's ground. */
export function roomOf(mode: string | undefined): string {
  return mode === 'light' || mode === 'dark' ? `sw-room sw-${mode}` : 'sw-room'
}
