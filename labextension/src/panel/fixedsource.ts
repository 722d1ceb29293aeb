/** The new texts of a fix, to be taken by hand where the page can't put them into the cells. */

import type { Changes } from './changes';
import { copy } from './clipboard';
import type { Standpoint } from './standpoint';

export class FixedSource {
  constructor(
    private _at: Standpoint,
    private _changes: Changes
  ) {}

  /** Whether it is offered: the cells can't be rewritten here, or not just now. */
  get offered(): boolean {
    const { open, fix, model, host } = this._at;
    if (this._at.choosing || this._at.answer !== null || this._sources.length === 0) {
      return false;
    }
    const accepted = (model.local?.kind ?? model.state.phase) === 'accepted' && !model.local?.awaited;
    const refused = model.refusal !== null || (fix !== null && this._at.blocked(fix));
    return (host.offersCopy && this._at.live && (open || accepted)) || (open && refused);
  }

  copy(): Promise<boolean> {
    return copy(this._sources.join('\n\n'));
  }

  /** None, if it only installs something, runs other cells or changes files, which the kernel writes. */
  private get _sources(): readonly string[] {
    const sources = this._at.model.accepted?.sources ?? this._changes.sources();
    const edits = this._at.fix?.edits ?? [];
    return sources.filter((source, index) => source !== edits[index]?.expected && !edits[index]?.file);
  }
}
