// The search of a site that is read from a disk: browsers start no worker there, so its script runs in a hidden frame.
if (location.protocol === 'file:') {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement('iframe');
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inner = this.frame.contentWindow;
      const load = (address) =>
        new Promise((loaded, failed) => {
          const script = inner.document.createElement('script');
          script.onload = loaded;
          script.onerror = failed;
          script.src = address;
          inner.document.body.append(script);
        });
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', { data }));
      inner.importScripts = (...all) => all.reduce((done, one) => done.then(() => load(one)), Promise.resolve());
      this.ready = load(url).then(() => inner);
    }

    postMessage(data) {
      this.ready.then((inner) => inner.dispatchEvent(new MessageEvent('message', { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
