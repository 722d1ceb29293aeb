/** The line to one kernel: the comm that its extension opened, and what it has said of itself. */

import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { JSONObject } from '@lumino/coreutils';
import { Signal } from '@lumino/signaling';
import { COMM_TARGET, type FromKernel, type FromPage, type Welcome } from '../messages';
import type { KernelBond } from '../panel/host';
import { VERSION } from '../version';

/** How long a decision may take to reach the kernel before the run is sent after it, in milliseconds. */
const HANDOVER = 150;

const GONE = new Set<Kernel.Status>(['restarting', 'autorestarting', 'terminating', 'dead']);

export class KernelLink {
  readonly changed = new Signal<this, void>(this);
  readonly disposed = new Signal<this, void>(this);

  constructor(
    readonly kernel: Kernel.IKernelConnection,
    private _receive: (message: FromKernel, link: KernelLink) => void
  ) {
    this._clients.add(kernel.clientId);
    kernel.registerCommTarget(COMM_TARGET, this._opened);
    kernel.statusChanged.connect(this._statusChanged, this);
    kernel.connectionStatusChanged.connect(this._connectionChanged, this);
    kernel.disposed.connect(this.dispose, this);
    void this._search();
  }

  /** Whether the kernel's extension is there, and on; null: not loaded, or not known yet. */
  get enabled(): boolean | null {
    return this._comm && this._welcome ? this._welcome.enabled : null;
  }

  bond(session: string): KernelBond {
    if (this._comm && this._welcome) {
      return this._welcome.session === session ? 'same' : 'restarted';
    }
    if (this._comm || this._searching) {
      return 'unknown';
    }
    return this._lost ? 'restarted' : 'absent';
  }

  /** Whether a message that names a client is for this page. */
  isMine(client: string): boolean {
    return this._clients.has(client);
  }

  /** Takes another connection of this page to the same kernel into account. */
  join(kernel: Kernel.IKernelConnection): void {
    if (!this._clients.has(kernel.clientId)) {
      this._clients.add(kernel.clientId);
      this._hello(kernel.clientId);
    }
  }

  /** Sends a message; null: nobody listens. */
  send(message: FromPage): Kernel.IFuture<KernelMessage.IShellMessage, KernelMessage.IShellMessage> | null {
    if (!this._comm || this._comm.isDisposed || this.kernel.isDisposed) {
      return null;
    }
    return this._comm.send({ ...message } as JSONObject) as Kernel.IFuture<
      KernelMessage.IShellMessage,
      KernelMessage.IShellMessage
    >;
  }

  /**
   * Sends a message and waits for the kernel to have taken it in, at most `HANDOVER`.
   *
   * Where comms have a thread of their own in the kernel, a run that is sent right after could overtake it;
   * where they have not, the kernel keeps the order by itself and a busy one need not be waited for.
   */
  async handOver(message: FromPage): Promise<void> {
    const taken = this.send(message)?.done.catch(() => undefined);
    if (taken) {
      await Promise.race([taken, new Promise(resolve => setTimeout(resolve, HANDOVER))]);
    }
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._forget();
    if (!this.kernel.isDisposed) {
      this.kernel.removeCommTarget(COMM_TARGET, this._opened);
    }
    this.disposed.emit();
    Signal.clearData(this);
  }

  private _opened = (comm: Kernel.IComm): void => this._adopt(comm);

  /** Takes up comms that were open before this page was: after a reload, or in a kernel that loads the extension itself. */
  private async _search(): Promise<void> {
    try {
      const reply = await this.kernel.requestCommInfo({ target_name: COMM_TARGET });
      const found = reply.content.status === 'ok' ? Object.keys(reply.content.comms) : [];
      for (const id of found.filter(each => !this.kernel.hasComm(each))) {
        this._adopt(this.kernel.createComm(COMM_TARGET, id));
      }
    } catch (reason) {
      console.debug('reflex: no comm info from the kernel', reason); // it died or restarts: then there is no comm
    }
    this._searching = false;
    this.changed.emit();
  }

  private _adopt(comm: Kernel.IComm): void {
    this._comm = comm;
    comm.onMsg = message => this._receiveFrom(comm, message);
    comm.onClose = () => {
      if (this._comm === comm) {
        this._forget();
        this.changed.emit();
      }
    };
    for (const client of this._clients) {
      this._hello(client);
    }
    this.changed.emit();
  }

  // Returns nothing: the kernel connection would wait for a promise, and a run inside for the connection.
  private _receiveFrom(comm: Kernel.IComm, message: KernelMessage.ICommMsgMsg): void {
    const content = message.content.data as unknown as FromKernel;
    this._comm = comm;
    if (content.type === 'welcome') {
      this._welcome = content;
      this._lost = false;
      this.changed.emit();
    }
    this._receive(content, this);
  }

  private _hello(client: string): void {
    this.send({ type: 'hello', client, version: VERSION });
  }

  private _forget(): void {
    this._comm = null;
    this._welcome = null;
  }

  private _statusChanged(_: unknown, status: Kernel.Status): void {
    if (GONE.has(status)) {
      this._forget();
      this._lost = true;
      this.changed.emit();
    } else if (status === 'idle' && this._lost && !this._comm && !this._searching) {
      this._searchAgain();
    }
  }

  private _connectionChanged(_: unknown, status: Kernel.ConnectionStatus): void {
    if (status === 'connected' && !this._comm && !this._searching) {
      this._searchAgain();
    }
  }

  private _searchAgain(): void {
    this._searching = true;
    void this._search();
  }

  private readonly _clients = new Set<string>();
  private _comm: Kernel.IComm | null = null;
  private _welcome: Welcome | null = null;
  private _searching = true;
  private _lost = false;
  private _isDisposed = false;
}
