// Swaps files and folders for symlinks that lead out, and back again, as fast as it can, until it is killed. Argument:
// a folder with `media/` and `outside/`, each with `photo.jpg`.
import { cpSync, linkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const [, , folder = ''] = process.argv
const at = (...path: string[]) => join(folder, ...path)

// Each swap of a file is atomic, as `ln -sf` and `mv` make it; a folder takes two renames.
cpSync(at('media', 'photo.jpg'), at('inside.jpg'))
cpSync(at('media', 'photo.jpg'), at('media', 'folder', 'photo.jpg'))
symlinkSync(at('outside'), at('way-out'))
process.stdout.write('swapping')

for (let round = 0; ; round++) {
  symlinkSync(at('outside', 'photo.jpg'), at('next'))
  renameSync(at('next'), at('media', 'photo.jpg'))
  linkSync(at('inside.jpg'), at('next'))
  renameSync(at('next'), at('media', 'photo.jpg'))
  rmSync(at('next'), { force: true })
  if (round % 2) continue
  renameSync(at('media', 'folder'), at('parked'))
  renameSync(at('way-out'), at('media', 'folder'))
  renameSync(at('media', 'folder'), at('way-out'))
  renameSync(at('parked'), at('media', 'folder'))
}
