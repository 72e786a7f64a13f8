// The app that the extension comes with. A host starts it when somebody opens one of its URLs.

// The app and its extension share one copy of the client.
import * as annex from "./PlugIns/__NAME__.appex/annex/index.mjs";

class App extends annex.ContainingApp {
  async openURL(url) {
    return `__APP__ was asked to open ${url}.`;
  }
}

annex.run(new App());
