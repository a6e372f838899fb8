/** Answers `--help`. */
export const help = `Usage: npx sitewright init [options]

Writes what a site needs for pictures, revalidation and a styleguide into the
project of this folder: Next.js, Hono, Express, or Vite with a server of your
own. It asks first, and never writes over a file that is there.

Options:
  --dry-run        Show what would be written, and write nothing.
  -y, --yes        Write without asking; needed where there is no terminal.
  --server <name>  next, hono, express or vite. Default: by package.json.
  -h, --help       Show this text.
  -v, --version    Show the version.

Exit codes: 0 done, or nothing to do; 1 failed, or declined; 2 wrong usage;
130 interrupted.
`
