/** The line to one kernel: the comm that its extension opened, and what it has said of itself. */

import { type Kernel, KernelMessage } from '@jupyterlab/services';
import type { JSONObject } from '@lumino/coreutils';
import { Signal } from '@lumino/signaling';
import type { Declined, FromKernel, Welcome } from '../fromkernel';
import type { FromPage } from '../frompage';
import type { Standing } from '../panel/host';
import type { PanelState } from '../state';
import { messageOf } from '../valid';
import { VERSION } from '../version';
import { Repairs } from './repairs';

/** The comm's target (`ipython/page_comm.py`). */
const COMM_TARGET = 'reflex_ipython';
/** The type of a message that is no comm's (`ipython/page_comm.py`). */
const REQUEST = 'reflex_request';
/** Where a display brings what the kernel says of it (`ipython/publish.py`). */
const BROUGHT = 'reflex';
const GONE = new Set<Kernel.Status>(['restarting', 'autorestarting', 'terminating', 'dead']);

export class KernelLink {
  readonly changed = new Signal<this, void>(this);
  readonly disposed = new Signal<this, void>(this);
  /** The kernel does not do what was asked. */
  readonly declined = new Signal<this, Declined>(this);
  /** What the kernel's present session has told. */
  readonly repairs = new Repairs();

  constructor(
    readonly kernel: Kernel.IKernelConnection,
    private _receive: (message: FromKernel, link: KernelLink) => void
  ) {
    this._clients.add(kernel.clientId);
    kernel.registerCommTarget(COMM_TARGET, this._opened);
    kernel.statusChanged.connect(this._statusChanged, this);
    kernel.connectionStatusChanged.connect(this._connectionChanged, this);
    kernel.anyMessage.connect(this._arrived, this);
    kernel.iopubMessage.connect(this._handled, this);
    kernel.disposed.connect(this.dispose, this);
    void this._search();
  }

  /** Whether the kernel's extension is there, and on; null: not loaded, or not known yet. */
  get enabled(): boolean | null {
    return this.settings?.enabled ?? null;
  }

  /** What the kernel's extension says of itself; null: it is not loaded, or that is not known yet. */
  get settings(): Welcome | null {
    return this._comm ? this._welcome : null;
  }

  /** What a saved panel is to this kernel, as long as it has not told of that repair; asks it if need be. */
  standingOf(saved: PanelState): Standing {
    if (!this._comm || !this._welcome) {
      return this._comm || this._searching ? 'asking' : 'absent';
    }
    const question = this.repairs.question(saved);
    if (question) {
      this.send(question);
    }
    return this.repairs.isUnknown(saved) ? 'unknown' : 'asking';
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
   * Sends a message that should not wait for the cell which runs; returns whether anybody listens. A kernel without
   * subshells reads the control channel alone meanwhile.
   */
  urge(message: FromPage): boolean {
    const waits = this.kernel.status === 'busy' && !this.kernel.supportsSubshells;
    if (!waits || !this._comm || this._comm.isDisposed || this.kernel.isDisposed) {
      return this.send(message) !== null;
    }
    const request: unknown = this._request(message, 'control');
    this.kernel.sendControlMessage(request as KernelMessage.IControlMessage, true, true);
    return true;
  }

  /** Whether the kernel would read at once what it reads in turn. */
  get isIdle(): boolean {
    return !!this._comm && !this._comm.isDisposed && !this.kernel.isDisposed && this.kernel.status === 'idle';
  }

  /**
   * Sends a message that an idle kernel reads before a cell which is sent to it next, and not on a thread of its own as a
   * comm's may be: over the connection of that cell's notebook, since two of them keep no order between them.
   */
  sendInTurn(message: FromPage, kernel: Kernel.IKernelConnection): void {
    const request: unknown = this._request(message, 'shell', kernel);
    kernel.sendShellMessage(request as KernelMessage.IShellMessage, true, true);
  }

  /**
   * Has a message go with a cell that is run next, in the metadata of the request: as a message of its own it would be
   * three more that the server hands on before the cell's output. JupyterLab offers no way to say more of a run, so the
   * next call of `requestExecute` for that cell is taken, of its notebook's connection: a kernel may have several. Returns
   * what ends the waiting for it, and says whether it came.
   */
  bring(cell: string, message: FromPage, kernel: Kernel.IKernelConnection): () => boolean {
    const { requestExecute } = kernel;
    let brought = false;
    const withIt: typeof requestExecute = (content, dispose, metadata) => {
      const isIt = !brought && metadata?.cellId === cell;
      brought ||= isIt;
      const more = isIt ? { ...metadata, [REQUEST]: { ...message } as JSONObject } : metadata;
      return requestExecute.call(kernel, content, dispose, more);
    };
    kernel.requestExecute = withIt;
    return () => {
      if (kernel.requestExecute === withIt) {
        kernel.requestExecute = requestExecute;
      }
      return brought;
    };
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._forget();
    this.repairs.dispose();
    if (!this.kernel.isDisposed) {
      this.kernel.removeCommTarget(COMM_TARGET, this._opened);
    }
    this.disposed.emit();
    Signal.clearData(this);
  }

  private _request(
    content: FromPage,
    channel: 'control' | 'shell',
    kernel = this.kernel
  ): KernelMessage.IMessage {
    const options = { msgType: REQUEST, channel, session: kernel.clientId } as const;
    return KernelMessage.createMessage({ ...options, content } as never);
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
    const content = messageOf(message.content.data);
    if (!content) {
      return;
    }
    this._comm = comm;
    this._hear(content);
  }

  /**
   * A display that brings a panel's state is heard as it is handled: after what came before it, and before its output is
   * drawn, which would be a picture to a page that was told nothing. The cell's own connection asks the hook first.
   */
  private _arrived(_: unknown, { msg, direction }: Kernel.IAnyMessageArgs): void {
    const content = direction === 'recv' && KernelMessage.isDisplayDataMsg(msg) ? brought(msg) : null;
    if (!content) {
      return;
    }
    const { kernel } = this;
    const request = (msg.parent_header as KernelMessage.IHeader).msg_id;
    const hook = (handled: KernelMessage.IMessage): boolean => {
      if (handled === msg) {
        kernel.removeMessageHook(request, hook);
        this._handled(kernel, handled);
      }
      return true;
    };
    this._coming.set(msg, content);
    kernel.registerMessageHook(request, hook);
  }

  private _handled(_: unknown, message: KernelMessage.IMessage): void {
    const content = this._coming.get(message);
    if (content) {
      this._coming.delete(message);
      this._hear(content);
    }
  }

  private _hear(content: FromKernel): void {
    if (this._take(content)) {
      this.changed.emit();
    }
    this._receive(content, this);
  }

  /** Takes note of what the kernel says; returns whether that may make another panel of a saved one. */
  private _take(content: FromKernel): boolean {
    switch (content.type) {
      case 'welcome':
        this._begin(content);
        return true;
      case 'state':
        return this._isOfNow(content.state) && this.repairs.told(content.state);
      case 'text':
        this.repairs.get(content.repair)?.addText(content.text, content.start);
        return false;
      case 'unknown':
        this.repairs.unknown(content.request);
        return true;
      case 'resumable':
        this.repairs.get(content.repair)?.resumable(content);
        return false;
      case 'text-tried':
        this.repairs.get(content.repair)?.ownText.hear(content);
        return false;
      case 'models':
      case 'key-state':
      case 'model-answer':
        this.repairs.get(content.repair)?.modelChoice.hear(content);
        return false;
      case 'declined':
        this.repairs.get(content.repair)?.declined(content.request, content.reason);
        this.declined.emit(content);
        return false;
      default:
        return false;
    }
  }

  private _begin(welcome: Welcome): void {
    if (this._welcome && this._welcome.session !== welcome.session) {
      this.repairs.clear();
    }
    this._welcome = welcome;
    this._lost = false;
  }

  /** Whether a state is of the session that is there now; the first ones come before its welcome. */
  private _isOfNow(state: PanelState): boolean {
    return !this._welcome || this._welcome.session === state.session;
  }

  private _hello(client: string): void {
    this.send({ type: 'hello', client, version: VERSION });
  }

  private _forget(): void {
    this._comm = null;
    this._welcome = null;
    this.repairs.clear();
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
  private readonly _coming = new WeakMap<KernelMessage.IMessage, FromKernel>();
  private _comm: Kernel.IComm | null = null;
  private _welcome: Welcome | null = null;
  private _searching = true;
  private _lost = false;
  private _isDisposed = false;
}

function brought(message: KernelMessage.IDisplayDataMsg): FromKernel | null {
  const transient = message.content.transient as JSONObject | undefined;
  return transient && BROUGHT in transient ? messageOf(transient[BROUGHT]) : null;
}
