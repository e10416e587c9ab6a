// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var requirement = regexp.MustCompile(`(?m)^(?:require |\t)(\S+) (v\S+)`)

func required(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, each := range requirement.FindAllStringSubmatch(string(text), -1) {
		versions[each[1]] = each[2]
	}
	return versions
}

func TestThisProgramIsMadeOfTheModulesOfTheHelmThatTheTreeBuilds(t *testing.T) {
	ours, helm := required(t, "go.mod"), required(t, "../tools/helm/go.mod")

	if len(ours) < 50 {
		t.Fatalf("only %d requirements were found", len(ours))
	}
	for module, version := range ours {
		if helm[module] != version {
			t.Errorf("%s is %s here and %q in tools/helm", module, version, helm[module])
		}
	}
	pinned, err := os.ReadFile("../tools/versions.properties")
	if err != nil {
		t.Fatal(err)
	}
	if want := "helm=" + strings.TrimPrefix(ours["helm.sh/helm/v4"], "v") + "\n"; !strings.Contains(string(pinned), want) {
		t.Errorf("tools/versions.properties lacks %s", want)
	}
}
